import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { imageFlag } from '../flags/registry-flags.ts';

/** `op-sdk build-installer`. */
export const command = defineCommand({
  locksProject: 'project',
  flags: {
    dir: flag.text('folder', 'the kustomization to render (default: config/default)'),
    ...imageFlag,
    'output-file': flag.text('file', 'the manifest (default: dist/install.yaml)'),
    ...dryRunFlag,
  },
  help: `
Writes all objects that op-sdk deploy applies into one manifest, which kubectl can apply:
  kubectl apply --server-side -f install.yaml

Generated files must be up to date: run op-sdk generate manifests first, or make build-installer.`,
});
