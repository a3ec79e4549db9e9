import { FindingList } from '../../base/errors/index.ts';
import type { PlacedObject } from '../../kubernetes/yaml/manifest-object.ts';
import { readCrdFiles, type CrdFile } from '../crds/read-crd-files.ts';
import { readWebhookFiles } from '../webhooks/read-webhook-files.ts';
import type { ControlPlaneOptions } from './types.ts';

/** Manifests to install at the start. */
export interface Manifests {
  readonly crds: readonly CrdFile[];
  readonly webhooks: readonly PlacedObject[];
}

/** @throws OpSdkError with the findings of all files */
export async function readInitialManifests({ crds = [], webhooks }: ControlPlaneOptions): Promise<Manifests> {
  const findings = new FindingList();
  const read = {
    crds: (await findings.gather(() => readCrdFiles(crds))) ?? [],
    webhooks: (await findings.gather(() => readWebhookFiles(webhooks?.paths ?? []))) ?? [],
  };
  findings.throwIfAny();
  return read;
}
