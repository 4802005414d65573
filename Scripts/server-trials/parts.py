"""The processes of a trial: nodes of `easel serve`, nginx, Redis, an object store and an origin, all on this machine."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from client import KEY, SALT

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent


def fetch(port: int, path: str, timeout: float = 5) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=timeout) as response:
        return response.read().decode()


def wait_until(condition, limit: float = 30):
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(condition)
        time.sleep(0.02)


class Node:
    """A server that can be killed and started again."""

    def __init__(self, easel: str, port: int, folder: Path, arguments: list[str]):
        self.port, self.process = port, None
        self.log = open(folder / f"node-{port}.log", "ab")
        self.command = [easel, "serve", "--listen", f"127.0.0.1:{port}", "--cache", str(folder / f"cache-{port}"),
                        "--no-log", *arguments]
        # The counts of processes that have ended, and the last ones of this.
        self.before, self.last = {}, {}
        # Decoders of nodes that were killed, and the results that these were looking up or making.
        self.orphans = []
        self.interrupted = 0

    def start(self):
        environment = os.environ | {"EASEL_SERVE_KEY": KEY.hex(), "EASEL_SERVE_SALT": SALT.hex(),
                                    "AWS_ACCESS_KEY_ID": "test:tester", "AWS_SECRET_ACCESS_KEY": "testing"}
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=self.log, env=environment)
        line = self.process.stdout.readline().decode()
        if not line.startswith("listening on"):
            raise RuntimeError(f"The node does not start; see {self.log.name}.")

    def kill(self):
        self.read_metrics()
        self.interrupted += int(self.last.get("easel_server_flights", 0))
        self.orphans += tree(self.process.pid)[1:]
        self.process.kill()
        self.process.wait()
        self.before = {name: self.metric(name) for name in self.before.keys() | self.last.keys()}
        self.last = {}

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()

    def read_metrics(self):
        try:
            text = fetch(self.port, "/metrics", 2)
        except OSError:
            return
        self.last = dict(re.findall(r"^(easel_\S+) (\S+)$", text, re.MULTILINE))
        self.last = {name: float(value) for name, value in self.last.items()}

    def metric(self, name: str) -> float:
        return self.before.get(name, 0) + self.last.get(name, 0)

    def total(self, prefix: str) -> int:
        """Returns the sum of a metric over its labels, and over all processes of this node."""
        return int(sum(self.metric(name) for name in self.before.keys() | self.last.keys()
                       if name.split("{")[0] == prefix))

    def usage(self) -> dict[str, int]:
        """Returns the memory in bytes, the descriptors and the number of processes of this node and its children."""
        processes = tree(self.process.pid)
        return {"memory": sum(proportional_memory(pid) for pid in processes),
                "descriptors": len(os.listdir(f"/proc/{self.process.pid}/fd")), "processes": len(processes),
                "threads": len(os.listdir(f"/proc/{self.process.pid}/task"))}


def tree(root: int) -> list[int]:
    children = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                parent = int(Path(f"/proc/{name}/stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
            children.setdefault(parent, []).append(int(name))
    found = [root]
    for pid in found:
        found += children.get(pid, [])
    return found


def proportional_memory(pid: int) -> int:
    """Returns the memory of a process; what it shares with others counts in parts."""
    try:
        return 1024 * int(re.search(r"^Pss: +(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)[1])
    except (OSError, TypeError):
        return 0


class Parts:
    """Starts the parts, and ends them."""

    def __init__(self, port: int):
        self.folder = Path(tempfile.mkdtemp(prefix="easel-trial-"))
        self.origin_port, self.relay_port, self.redis_port, self.nginx_port = range(port, port + 4)
        self.node_ports, self.store_port = range(port + 4, port + 8), port + 10
        self.processes, self.nodes, self.redis = [], [], None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        for node in self.nodes:
            node.stop()
        for process in reversed(self.processes):
            if process.stdin is not None:
                process.stdin.close()
            else:
                process.terminate()
        for process in self.processes:
            process.wait(20)
        if error[0] is None:
            shutil.rmtree(self.folder, ignore_errors=True)
        else:
            print(f"Logs are in {self.folder}.")

    def start(self, *command: str, stdin=None) -> subprocess.Popen:
        output = subprocess.PIPE if stdin else open(self.folder / f"{Path(command[0]).name}.log", "ab")
        process = subprocess.Popen(command, stdin=stdin, stdout=output, stderr=None if stdin else output)
        self.processes.append(process)
        if stdin:
            while line := process.stdout.readline():
                if line.strip() == b"ready":
                    return process
            raise RuntimeError(f"{command[0]} does not start.")
        return process

    def start_origin(self):
        self.start(sys.executable, str(HERE / "origin.py"), str(self.origin_port), str(self.relay_port),
                   str(self.store_port), stdin=subprocess.PIPE)

    def set_origin(self, **values: float):
        fetch(self.origin_port, "/set?" + "&".join(f"{name}={value}" for name, value in values.items()))

    def start_redis(self):
        self.redis = self.start("redis-server", "--port", str(self.redis_port), "--bind", "127.0.0.1", "--save", "",
                                "--appendonly", "no")
        wait_until(lambda: self.redis_answers())

    def redis_answers(self) -> bool:
        return b"PONG" in subprocess.run(["redis-cli", "-p", str(self.redis_port), "PING"], capture_output=True).stdout

    def stop_redis(self):
        self.redis.send_signal(signal.SIGSTOP)

    def continue_redis(self):
        """Redis answers again, and has lost everything."""
        self.redis.send_signal(signal.SIGCONT)
        subprocess.run(["redis-cli", "-p", str(self.redis_port), "FLUSHALL"], capture_output=True, check=True)

    def kill_redis(self):
        self.redis.kill()
        self.redis.wait()

    def start_store(self):
        self.start(str(ROOT / "Scripts/start-object-store.sh"), str(self.store_port), stdin=subprocess.PIPE)
        sys.path.append(str(HERE))
        import bucket
        bucket.create(self.store_port, "results")

    def start_nginx(self, balance: str):
        """Starts nginx with the configuration of the package, and the addresses of this trial."""
        text = (ROOT / "Packaging/server/nginx.conf").read_text()
        text = re.sub(r"(listen) 80;", rf"\1 127.0.0.1:{self.nginx_port};", text)
        servers = iter(self.nodes)
        text = re.sub(r"server easel-\d:8080", lambda _: f"server 127.0.0.1:{next(servers).port}", text)
        for node in servers:
            text = text.replace("    keepalive", f"    server 127.0.0.1:{node.port} max_fails=2 fail_timeout=2s;\n    keepalive")
        if balance == "random":
            text = re.sub(r"hash .*;", "random;", text)
        configuration = self.folder / "nginx.conf"
        configuration.write_text(
            f"daemon off; pid {self.folder}/nginx.pid; error_log {self.folder}/nginx-errors.log warn; worker_processes 1;\n"
            f"events {{ worker_connections 4096; }}\nhttp {{ access_log off; client_body_temp_path {self.folder}/body;"
            f" proxy_temp_path {self.folder}/proxy; fastcgi_temp_path {self.folder}/f; uwsgi_temp_path {self.folder}/u;"
            f" scgi_temp_path {self.folder}/s;\n{text}}}\n")
        self.start("nginx", "-c", str(configuration))
        wait_until(lambda: (self.folder / "nginx.pid").exists())

    def start_nodes(self, easel: str, count: int, arguments: list[str]):
        common = ["--allow-private", "127.0.0.1", "--trusted-proxy", "127.0.0.1", "--timeout", "2"]
        self.nodes = [Node(easel, port, self.folder, common + arguments) for port in self.node_ports[:count]]
        for node in self.nodes:
            node.start()

    def shared(self) -> list[str]:
        return ["--shared", f"redis://127.0.0.1:{self.redis_port}", "--results", "s3://results/trial",
                "--s3-endpoint", f"http://127.0.0.1:{self.relay_port}"]

    def client(self, *arguments) -> subprocess.Popen:
        return subprocess.Popen([sys.executable, str(HERE / "client.py"), *map(str, arguments)], stdout=subprocess.PIPE)


def results(clients: list[subprocess.Popen]) -> list[dict]:
    return [json.loads(client.communicate()[0]) for client in clients]
