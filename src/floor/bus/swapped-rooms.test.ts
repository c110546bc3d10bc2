// Somebody puts links in the place of a mailbox's rooms and takes them away again, as fast as a process can, while messages are sent, taken and swept.

import { expect, test } from "bun:test";
import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { realBus, snapshotOf, TemporaryHome } from "../../../test/bus-kit.ts";
import { inBothWays } from "../../files/both-ways.suite.ts";
import { drain } from "./drain.ts";
import { send } from "./send.ts";

/**
 * Each of the rooms, in turn: away, a link to the victim in its place for a moment, the link away, back, and there for a moment. A room that was made anew
 * meanwhile stays, and the old one stays away under a name of its own. Ends with its input.
 */
const swapping = `use IO::Select; my ($box, $victim, @rooms) = @ARGV; my $input = IO::Select->new(\\*STDIN); my $count = 0; $| = 1; print "on\\n";
my $moment = sub { select undef, undef, undef, 0.0005 };
until ($input->can_read(0)) { for my $room (@rooms) { my $away = "$box/.away" . ++$count; rename "$box/$room", $away or next;
  symlink $victim, "$box/$room"; $moment->(); unlink "$box/$room"; rename $away, "$box/$room"; $moment->() } }`;

inBothWays(() => {
  test("nothing is written, moved or removed behind a link, whenever it is put there", async () => {
    using home = new TemporaryHome();
    using elsewhere = new TemporaryHome();
    const bus = realBus(home.path);
    const box = join(home.path, "channels/agent/agent2");
    const rooms = ["inbox", "processing", "done", "seen", "poison"];
    for (const room of rooms) mkdirSync(join(box, room), { recursive: true, mode: 0o700 });
    writeFileSync(join(elsewhere.path, "kept"), "kept");
    const before = snapshotOf(elsewhere.path);
    const swapper = Bun.spawn(["perl", "-e", swapping, box, elsewhere.path, ...rooms], {
      stdin: "pipe",
      stdout: "pipe",
    });
    await swapper.stdout.getReader().read();
    const outcomes = { sent: 0, taken: 0, refused: 0 };
    let isSwapped = false;
    try {
      // As long as it takes to have met both: a room that was there, and a link in its place.
      const isMet = (): boolean => outcomes.sent > 0 && outcomes.refused > 0 && isSwapped;
      for (let round = 0; round < 2_000 && (round < 80 || !isMet()); round++) {
        isSwapped ||= rooms.some((room) => lstatSync(join(box, room), { throwIfNoEntry: false })?.isSymbolicLink());
        try {
          send(bus, { from: "agent1", to: "agent2", text: `message ${round}` });
          outcomes.sent += 1;
          outcomes.taken += (await drain(bus, "agent2")).messages.length;
        } catch {
          outcomes.refused += 1;
        }
      }
    } finally {
      swapper.stdin.end();
      await swapper.exited;
    }
    expect(snapshotOf(elsewhere.path)).toEqual(before);
    expect(isSwapped).toBe(true);
    expect(outcomes.sent).toBeGreaterThan(0);
    expect(outcomes.refused).toBeGreaterThan(0);
  });
});
