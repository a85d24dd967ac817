"""Records answers to tilescope/access for the tests of the view "Coalescing".

    python3 record_accesses.py PATH_TO_TILEC

Writes NAME.json beside this file: {"launch": LaunchSummary, "detail": AccessDetail}, all programs counted.
"""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
EXAMPLES = HERE.parents[2] / "resources" / "examples"
# name, script, launch, access, program, requests of the page
CASES = [
    ("aligned", EXAMPLES / "vector_add.py", 0, 0, 1, 8),
    ("softmax", EXAMPLES / "main.py", 0, 0, 1, 32),
    ("row-load", EXAMPLES / "transpose.py", 0, 0, 1, 16),
    ("column-store", EXAMPLES / "transpose.py", 0, 1, 1, 16),
    ("strided", HERE / "patterns.py", 0, 0, 1, 8),
    ("misaligned", HERE / "patterns.py", 1, 0, 1, 8),
    ("masked", HERE / "patterns.py", 2, 0, 1, 8),
    ("gathered", HERE / "patterns.py", 3, 1, 1, 8),
    ("shared-row", HERE / "patterns.py", 4, 0, 1, 8),
    ("square", HERE / "patterns.py", 5, 0, 5, 128),
    ("square-store", HERE / "patterns.py", 5, 1, 5, 32),
]


class Client:
    def __init__(self, tilec):
        self.process = subprocess.Popen([tilec, "serve", "--role=run"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last = 0
        self.launches = []
        self.ask("initialize", {})

    def ask(self, method, params):
        self.last += 1
        body = json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()
        while True:
            length = 0
            while (line := self.process.stdout.readline().strip()):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            message = json.loads(self.process.stdout.read(length))
            if message.get("method") == "tilescope/launch":
                self.launches.append(message["params"])
            if message.get("id") == self.last:
                if "error" in message:
                    sys.exit(f"{method}: {message['error']}")
                return message["result"]

    def run(self, script):
        self.launches = []
        self.ask("tilescope/run", {"run": 1, "path": str(script), "text": script.read_text()})


def main():
    client = Client(sys.argv[1])
    ran = None
    for name, script, launch, access, program, count in CASES:
        if ran != script:
            client.run(script)
            ran = script
        where = {"run": 1, "launch": launch, "access": access}
        while (counted := client.ask("tilescope/access/count", where))["counted"] < counted["programs"]:
            pass
        detail = client.ask("tilescope/access", where | {"program": program, "first": 0, "count": count})
        summary = client.launches[launch]
        for key in ("path", "kernelPath"):
            summary[key] = "/scripts/" + pathlib.Path(summary[key]).name
        summary["wall_ms"] = 0
        detail["count"]["totals"]["path"] = summary["kernelPath"]
        (HERE / f"{name}.json").write_text(json.dumps({"launch": summary, "detail": detail}, indent=1) + "\n")


main()
