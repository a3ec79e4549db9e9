import type { CrdDocument } from '../../../../src/kubernetes/crd/index.ts';
import { createTransport } from '../../../../src/sdk/kube/transport/create-transport.ts';
import { systemClock } from '../../../../src/sdk/net/index.ts';
import { customKinds } from '../../../../src/testing/api/create-test-api.ts';
import { builtInKinds } from '../../../../src/testing/api/kinds/built-in-kinds.ts';
import { KindRegistry } from '../../../../src/testing/api/kinds/served-kind.ts';
import { Server } from '../../../../src/testing/api/server.ts';
import { ServerTransport } from '../../../../src/testing/api/server-transport.ts';
import { applyCrds } from '../../../../src/testing/crds/apply-crds.ts';
import { uniqueName, type SharedControlPlane } from '../../../helpers/control-plane.ts';
import { crds } from './crds.ts';
import type { Side } from './run-case.ts';

const createNamespace = (name: string) => ({
  method: 'POST',
  path: '/api/v1/namespaces',
  headers: { 'content-type': 'application/json', accept: 'application/json' },
  body: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
});

/** The real API server, with the definitions of the cases. */
export async function realSide(
  controlPlane: SharedControlPlane,
  definitions: readonly CrdDocument[] = crds,
): Promise<Side> {
  await applyCrds(
    controlPlane,
    definitions.map((crd) => ({ file: crd.metadata.name, crd })),
  );
  const { url, caCertificate: ca, credentials } = controlPlane;
  const transport = createTransport({
    server: new URL(url),
    tls: () => Promise.resolve({ ca, cert: credentials.certificate, key: credentials.key }),
  });
  return {
    transport,
    namespace: async () => {
      const name = uniqueName('agree');
      const { status } = await transport.request(createNamespace(name));
      if (status !== 201) throw new Error(`namespace ${name}: status ${status}`);
      return name;
    },
    settle: () => Promise.resolve(),
  };
}

/** The server in memory, with the same definitions. */
export async function testSide(definitions: readonly CrdDocument[] = crds): Promise<Side> {
  const custom = await Promise.all(definitions.map((crd) => customKinds(crd)));
  const kinds = new KindRegistry([...builtInKinds(), ...custom.flat()]);
  const server = new Server({ kinds, clock: systemClock });
  const transport = new ServerTransport(server);
  return {
    transport,
    namespace: async () => {
      const name = uniqueName('agree');
      const { status, body } = await transport.request(createNamespace(name));
      if (status !== 201) throw new Error(`namespace ${name}: ${body.toString()}`);
      return name;
    },
    settle: () => {
      server.collectGarbage();
      return Promise.resolve();
    },
  };
}
