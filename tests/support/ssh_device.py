# SPDX-License-Identifier: GPL-3.0-or-later
"""A device with an SSH server, whose port is the end of its tunnel."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncssh

USER = "admin"
_SECONDS = 20


@dataclass
class Device:
    """A running one. `port` is on 127.0.0.1; `commands` are those that it was asked to run."""

    port: int
    key_file: Path
    host_key: str
    commands: list[str] = field(default_factory=list)


@contextmanager
def ssh_device(folder: Path) -> Iterator[Device]:
    """Start one with new keys, one of which opens it, in `folder`. Its commands are run on this machine, by bash."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, loop).result(_SECONDS)

    try:
        device, server = run(_started(folder))
        yield device
        run(_stopped(server))
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _started(folder: Path) -> tuple[Device, Any]:
    host_key, user_key = (asyncssh.generate_private_key("ssh-ed25519") for _key in range(2))
    key_file = folder / "id_ed25519"
    user_key.write_private_key(str(key_file))
    key_file.chmod(0o600)
    authorized = folder / "authorized_keys"
    user_key.write_public_key(str(authorized))
    device = Device(0, key_file, host_key.export_public_key().decode().strip())

    async def served(process: asyncssh.SSHServerProcess[bytes]) -> None:
        device.commands.append(process.command or "")
        shell = await asyncio.create_subprocess_exec(
            *("bash", "-c", process.command or "exit 1"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        await process.redirect(stdin=shell.stdin, stdout=shell.stdout, stderr=shell.stderr)
        process.exit(await shell.wait())
        await process.wait_closed()

    server = await asyncssh.listen(
        "127.0.0.1",
        0,
        server_host_keys=[host_key],
        authorized_client_keys=str(authorized),
        process_factory=served,
        encoding=None,
    )

    device.port = server.get_port()
    return device, server


async def _stopped(server: Any) -> None:
    server.close()
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
