import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { dryRunFlag } from '../flags/common.ts';
import { verifyFlag } from '../flags/project-flags.ts';

/** `op-sdk generate manifests`. */
export const command = defineCommand({
  locksProject: 'project',
  // A watch takes it for each of its runs.
  unlockedBy: 'watch',
  flags: {
    only: flag.choice('part', ['crd', 'rbac', 'webhook'], 'generate one part only'),
    'apis-dir': flag.text('folder', 'the folder that declares the kinds (default: src)'),
    'output-dir': flag.text(
      'folder',
      'write all files into this folder (default: config/crd/bases, config/rbac and config/webhook)',
    ),
    check: flag.boolean('write nothing; exit 1 if a file is out of date'),
    stdout: flag.boolean('print the documents instead of writing them'),
    ...dryRunFlag,
    watch: flag.boolean('generate again whenever a source changes, until Ctrl-C'),
    strict: flag.boolean('treat warnings as errors: exit 1, write nothing'),
    ...verifyFlag,
    ...clusterFlags,
    'embedded-descriptions': flag.boolean(
      'keep the descriptions of built-in Kubernetes types; they make CRDs many times larger',
    ),
    cache: flag.negated('generate everything, without the cache (OPSDK_NO_CACHE=1 does the same)'),
  },
  help: `
Reads the calls of defineResource, defineController, defineWebhook, defineConversion and rbac in src, and writes
  config/crd/bases/<group>_<plural>.yaml   a CustomResourceDefinition for each kind
  config/rbac/role.yaml                    the roles of the operator
  config/webhook/manifests.yaml            the configurations of its webhooks, if there are any`,
});
