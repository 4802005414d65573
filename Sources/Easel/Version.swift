/// The version of Easel, according to [Semantic Versioning](https://semver.org): `Easel.version`.
///
/// `easel --version` prints it. The Makefile reads this line, so it is the only place to change.
public let version = "1.0.0"
