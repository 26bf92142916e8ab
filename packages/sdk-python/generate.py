"""Generates the module `wharf_sdk.rest` from the OpenAPI document, when the package is built."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# The generator reads no other types of replies than JSON and bytes.
BYTES = {kind: "application/octet-stream" for kind in ("application/gzip", "application/jsonl", "*/*")}


class Generation(BuildHookInterface):
    def initialize(self, version: str, build_data: dict) -> None:
        document = Path(self.root) / "../../schemas/generated/openapi.json"
        # A source distribution contains the generated module, but not the document.
        if document.exists():
            generate(document.resolve(), Path(self.root) / "src/wharf_sdk/rest")


def generate(document: Path, folder: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        config = Path(scratch) / "config.json"
        config.write_text(json.dumps({"content_type_overrides": BYTES, "post_hooks": []}))
        command = ["generate", "--path", document, "--output-path", folder, "--config", config]
        options = ["--meta", "none", "--overwrite", "--fail-on-warning"]
        subprocess.run([sys.executable, "-m", "openapi_python_client", *command, *options], check=True)
