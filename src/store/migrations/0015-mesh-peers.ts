// The list of peers: other constellations whose mesh keys may have a line to this one.

import { sql } from "kysely";
import { expectColumns, type Migration } from "./migration.ts";

export const meshPeers: Migration = {
  version: 15,
  name: "mesh-peers",
  async up(db) {
    await sql`create table mesh_peers (
      id text not null primary key, constellation text not null, name text not null, public_key text not null, role text not null,
      state text not null, transport text, at text, calls_itself text not null, fingerprint text, added_ms bigint not null,
      confirmed_ms bigint, ended_ms bigint, why text, seen_ms bigint, signature text
    )`.execute(db);
    await sql`create unique index mesh_peers_name on mesh_peers (constellation, name) where ended_ms is null`.execute(
      db,
    );
    await sql`create unique index mesh_peers_key on mesh_peers (constellation, public_key) where ended_ms is null`.execute(
      db,
    );
  },
  async verify(db, dialect) {
    await expectColumns(db, dialect, "mesh_peers", columns.split(" "));
  },
  async down(db) {
    await sql`drop table mesh_peers`.execute(db);
  },
};

const columns =
  "id constellation name public_key role state transport at calls_itself fingerprint added_ms confirmed_ms ended_ms why seen_ms signature";
