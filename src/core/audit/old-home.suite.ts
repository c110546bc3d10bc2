// Databases from before there were keys: of the first schema there was, and of version 13, the last one before retention, notices and
// trust. Written with the SQL of their time. They are brought up behind a backup, nothing is lost, and what was not signed is called so.

import { describe, expect, test } from "bun:test";
import type { MakeScene } from "../../../test/kit/databases.ts";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { auditEvidence } from "../../host/keys/audit-machine.ts";
import { constellationSigner } from "../../host/keys/row-signer.ts";
import { FakeClock, seededRandom } from "../../ports/fake-clock.ts";
import { verifyBackup } from "../../store/backup.ts";
import { allMigrations } from "../../store/migrations/all.ts";
import { openStore } from "../../store/open.ts";
import type { Dialect } from "../../store/tables.ts";
import { chainHash, genesisHash } from "../../store/timeline.ts";
import { listClaims } from "../claims/claim.ts";
import { verifyAudit } from "./verify.ts";

const constellation = "constel0";

/** Events as every version has written them. */
function eventsOfThen(count: number): string[] {
  let prev_hash = genesisHash;
  const inserts = Array.from({ length: count }, (_, index) => {
    const event = { seq: index + 1, id: `evt_${index}`, constellation, at_ms: 1_000 + index, type: "n.seen" };
    const row = { ...event, subject: null, actor: "owner", data: '{"text":"then"}', prev_hash };
    prev_hash = chainHash(row);
    return `insert into events (seq, id, constellation, at_ms, type, subject, actor, data, prev_hash, hash)
      values (${row.seq}, '${row.id}', '${constellation}', ${row.at_ms}, '${row.type}', null, '${row.actor}', '${row.data}', '${row.prev_hash}', '${prev_hash}')`;
  });
  return [
    ...inserts,
    `insert into chain_heads (constellation, seq, hash, pruned_seq, pruned_hash)
      values ('${constellation}', ${count}, '${prev_hash}', 0, '${genesisHash}')`,
  ];
}

const claimOfThen = `insert into claims (id, constellation, repository, holder, worktree, patterns, severity, reason, made_by, made_ms, expires_ms, dropped_ms, dropped_by)
  values ('clm_1', '${constellation}', 'r', 'agent1', '/r', '["a.ts"]', 'medium', 'mine', 'agent1', 1001, 99999999999999, null, null)`;

export function oldHomeSuite(makeScene: MakeScene, dialect: Dialect): void {
  describe("a database from before", () => {
    test.each([
      [1, []],
      [13, [claimOfThen]],
    ] as const)(
      "of schema version %d is brought up behind a backup, and nothing of it is lost",
      async (version, more) => {
        const scene = await makeScene();
        using directory = temporaryDirectory("old-home");
        const clock = new FakeClock();
        const options = {
          url: scene.url,
          backupDirectory: scene.backupDirectory,
          clock,
          random: seededRandom(7),
          constellation,
        };
        try {
          // What the store prepares is for the newest schema; by then the old one has been made.
          const then = openStore({ ...options, migrations: allMigrations.slice(0, version), views: [] });
          await then.then((store) => store.close()).catch(() => {});
          await scene.raw(...eventsOfThen(3), ...more);
          const store = await openStore({ ...options, sign: constellationSigner(directory.path, clock) });
          try {
            expect(store.migrated).toMatchObject({ from: version, to: allMigrations.length });
            const backup = store.migrated.backup ?? "";
            if (dialect === "sqlite") expect(verifyBackup(backup)).toEqual({ ok: true, version, events: 3 });
            else expect(await scene.raw(`select count(*)::int as count from ${backup}.events`)).toEqual([{ count: 3 }]);
            const context = { store, clock, random: seededRandom(3), constellation, actor: "owner" };
            const audited = { ...context, audit: auditEvidence(directory.path) };
            expect(await verifyAudit(audited)).toMatchObject({ ok: true, count: 3, signed: 0, unsigned: 3 });
            await store.write((tx) => tx.record({ type: "n.seen", actor: "owner", data: { text: "now" } }));
            expect(await verifyAudit(audited)).toMatchObject({ ok: true, count: 4, signed: 1, unsigned: 3 });
            const { claims } = await listClaims(audited, {});
            expect(claims.map(({ signature }) => signature)).toEqual(more.map(() => "not-signed"));
          } finally {
            await store.close();
          }
        } finally {
          await scene.end();
        }
      },
    );
  });
}
