import { createHash, randomBytes } from 'node:crypto';
import { startServer, type TestServer } from './stores/test-server.ts';

export interface FakeMember extends TestServer {
  revision: number;
  /** Fields that its status has besides. */
  status: Record<string, unknown>;
  /** The snapshot that it gives. */
  snapshot: Buffer;
  /** Blobs of the snapshot's stream. Default: the snapshot in three. */
  blobs: readonly Buffer[] | undefined;
  /** Bytes of the stream after which the connection breaks. */
  breakAfter: number | undefined;
}

/** Returns a snapshot as etcd sends it: a database, then its SHA-256. */
export function snapshotOf(pages = 8): Buffer {
  const database = randomBytes(pages * 4096);
  return Buffer.concat([database, createHash('sha256').update(database).digest()]);
}

/** Starts a member of etcd that knows the maintenance calls of its JSON gateway. */
export async function startFakeMember(): Promise<FakeMember> {
  const server = await startServer(({ url }) => {
    if (url.pathname === '/v3/maintenance/status')
      return {
        status: 200,
        body: JSON.stringify({
          header: { revision: String(fake.revision) },
          version: '3.6.8',
          ...fake.status,
        }),
      };
    if (url.pathname !== '/v3/maintenance/snapshot') return { status: 404, body: 'Not Found' };
    const third = Math.floor(fake.snapshot.length / 3);
    const { snapshot } = fake;
    const blobs = fake.blobs ?? [
      snapshot.subarray(0, third),
      snapshot.subarray(third, -32),
      snapshot.subarray(-32),
    ];
    const lines = blobs.map((blob) =>
      JSON.stringify({ result: { blob: blob.toString('base64'), version: '3.6.0' } }),
    );
    return { status: 200, body: `${lines.join('\n')}\n`, breakAfter: fake.breakAfter };
  });
  const fake: FakeMember = Object.assign(server, {
    revision: 7,
    status: {},
    snapshot: snapshotOf(),
    blobs: undefined,
    breakAfter: undefined,
  });
  return fake;
}
