#!/usr/bin/env bash
# Builds a release into target/release: the jars of service and agent, their bill of materials, and checksums.
# The service jar is for this platform; --all-platforms adds jars for Linux and macOS on both processor architectures.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

release=target/release
version=$(sed -n 's:^  <version>\(.*\)</version>:\1:p' pom.xml | head -n 1)
platform=$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
rm -rf "$release"
mkdir -p "$release"

build() {
  ./mvnw -q -Dquick -Dmaven.test.skip=true -pl service,agent -am "$@" package
}

if [[ ${1:-} == --all-platforms ]]; then
  build -Prelease,all-platforms
  cp service/target/spur-service-exec.jar "$release/spur-$version-all-platforms.jar"
elif [[ $# -gt 0 ]]; then
  echo "usage: packaging/release.sh [--all-platforms]" >&2
  exit 2
fi
build -Prelease
cp service/target/spur-service-exec.jar "$release/spur-$version-$platform.jar"
cp agent/target/spur-agent-exec.jar "$release/spur-agent-$version.jar"
cp service/target/classes/META-INF/sbom/application.cdx.json "$release/spur-$version.cdx.json"
cp python/spur/reporter.py openapi.yaml LICENSE "$release"
tar -czf "$release/spur-python-$version.tar.gz" --exclude=__pycache__ -C python spur pyproject.toml README.md
(cd "$release" && sha256sum -- * >SHA256SUMS)
ls -lh "$release"
