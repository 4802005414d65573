"""Creates a bucket in an object store, with a request that is signed by AWS's version 4."""
import datetime
import hashlib
import hmac
import urllib.request


def create(port: int, name: str, access_key: str = "test:tester", secret: str = "testing"):
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    scope = f"{now[:8]}/us-east-1/s3/aws4_request"
    digest = hashlib.sha256(b"").hexdigest()
    fields = {"host": f"127.0.0.1:{port}", "x-amz-content-sha256": digest, "x-amz-date": now}
    names = ";".join(fields)
    lines = "".join(f"{field}:{value}\n" for field, value in fields.items())
    request = hashlib.sha256(f"PUT\n/{name}\n\n{lines}\n{names}\n{digest}".encode()).hexdigest()
    key = f"AWS4{secret}".encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    signature = hmac.new(key, f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{request}".encode(), "sha256").hexdigest()
    fields["Authorization"] = (
        f"AWS4-HMAC-SHA256 Credential={access_key}/{scope}, SignedHeaders={names}, Signature={signature}")
    urllib.request.urlopen(
        urllib.request.Request(f"http://127.0.0.1:{port}/{name}", method="PUT", headers=fields), timeout=10).close()
