import { expect } from 'vitest';
import { CustomResourceDefinition } from '../../src/sdk/k8s/generated/apiextensions/v1.ts';
import { ClusterServiceVersion } from '../../src/olm/run/run-names.ts';
import { playOlmV0 } from '../sessions/olm/run/olm-v0.ts';
import { startSite } from '../sessions/olm/run/site.ts';
import type { Loose } from '../unit/olm/bundle/objects.ts';

/** A real API server with the definitions of OLM v0, on which a stand-in does what OLM does. */
export interface PlayedOlm extends AsyncDisposable {
  readonly kubeconfig: string;
  /** Returns the ClusterServiceVersions of a namespace, as `name phase`. */
  installed(namespace: string): Promise<readonly string[]>;
  /** Returns the versions of a CustomResourceDefinition, as `version stored` or `version served`. */
  versionsOf(definition: string): Promise<readonly string[]>;
  /** Returns the names of the objects that the cluster did not have at the start. */
  added(): Promise<readonly string[]>;
}

/** Starts the API server and the stand-in. Needs the manifests of OLM's releases: `hasOlm`. */
export async function startPlayedOlm(): Promise<PlayedOlm> {
  const site = await startSite('v0');
  const before = await site.everything();
  const olm = playOlmV0(site.client);
  return {
    kubeconfig: site.plane.kubeconfig,
    async installed(namespace) {
      const { items } = await site.client.list(ClusterServiceVersion, { namespace });
      return (items as readonly Loose[]).map(({ metadata, status }) => `${metadata.name} ${status?.phase}`);
    },
    async versionsOf(name) {
      const { spec } = await site.client.get(CustomResourceDefinition, { name });
      return spec.versions.map((each) => `${each.name} ${each.storage ? 'stored' : 'served'}`);
    },
    added: async () => (await site.everything()).filter((each) => !before.includes(each)),
    async [Symbol.asyncDispose]() {
      await olm[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

/** Expects parts of the output of a command, one after the other. */
export function expectInOrder(output: string, parts: readonly string[]): void {
  const places = parts.map((part) => output.indexOf(part));
  expect(places, output).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
}
