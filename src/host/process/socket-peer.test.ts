import { expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { peerOf, type SocketPeer } from "./socket-peer.ts";

/** Connects, hands the connection to a child and ends, or stays; whoever has it then asks. */
const caller = `
use IO::Socket::UNIX;
my ($path, $hands_on) = @ARGV;
my $socket = IO::Socket::UNIX->new($path);
my $first = $$;
if ($hands_on && fork) { exit 0 }
if ($hands_on) { select undef, undef, undef, 0.01 while kill(0, $first) && getppid == $first }
print $socket "?";
$socket->flush;
my $answer = <$socket>;
`;

/** Descriptors of processes that this one holds; one that was asked for and not closed stays for ever. */
function processesHeld(): number {
  return readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes("pidfd");
    } catch {
      return false; // closed meanwhile
    }
  }).length;
}

// SO_PEERPIDFD is Linux's, since 6.5.
test.skipIf(process.platform !== "linux")(
  "a process is named while it lives; a connection that it handed on before it ended names nobody, because its number can be another's",
  async () => {
    using directory = temporaryDirectory("peer");
    const unix = join(directory.path, "s");
    const heard: (SocketPeer | "ended" | undefined)[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    using _server = Bun.listen({
      unix,
      socket: {
        data(socket) {
          heard.push(peerOf((socket as unknown as { readonly fd: number }).fd));
          socket.end("heard\n");
          if (heard.length === 2) resolve();
        },
      },
    });
    const heldBefore = processesHeld();
    const stays = Bun.spawn(["perl", "-e", caller, unix, ""]);
    expect(await stays.exited).toBe(0);
    expect(await Bun.spawn(["perl", "-e", caller, unix, "1"]).exited).toBe(0);
    await promise;
    const heldAfter = processesHeld();
    expect(heldAfter).toBe(heldBefore);
    expect(heard).toEqual([{ pid: stays.pid, uid: process.getuid?.() }, "ended"]);
  },
);
