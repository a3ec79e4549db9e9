// Whoever comes from operator-sdk finds every command and flag of it (1.42) in one table, and where the table says "the same" it is so.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../helpers/run-cli.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const page = readFileSync(join(root, 'docs/coming-from-operator-sdk.md'), 'utf8');
const rows = [...page.matchAll(/^\| (`[^`]+`|all commands) +\| ([^|]*)\| ([^|]*)\|$/gm)]
  .map(([, command = '', flags = '', ours = '']) => ({
    command: command.replaceAll('`', ''),
    flags: [...flags.matchAll(/`([^`]+)`/g)].map(([, flag = '']) => flag),
    ours: ours.trim(),
  }))
  .filter(({ flags, ours }) => flags.every((flag) => /^(?:--)?[\w-]+$/.test(flag)) && ours !== '');

const cluster = '--kubeconfig --namespace --timeout';
const registry =
  '--ca-secret-name --image-pull-policy --pull-secret-name --security-context-config --service-account --skip-tls --skip-tls-verify --use-http';

/** The flags of operator-sdk's commands, as its help lists them. */
const theirs: Readonly<Record<string, string>> = {
  init: '--domain --fetch-deps --license --owner --project-name --project-version --repo --skip-go-version-check',
  edit: '--multigroup',
  'create api':
    '--controller --external-api-domain --external-api-path --force --group --kind --make --namespaced --plural --resource --version',
  'create webhook':
    '--conversion --defaulting --external-api-domain --external-api-path --force --group --kind --legacy --make --plural --programmatic-validation --spoke --version',
  'generate bundle':
    '--channels --crds-dir --default-channel --deploy-dir --extra-service-accounts --input-dir --kustomize-dir --manifests --metadata --output-dir --overwrite --package --quiet --stdout --use-image-digests --version',
  'generate kustomize manifests': '--apis-dir --input-dir --interactive --output-dir --package --quiet',
  'generate packagemanifests':
    '--channel --crds-dir --default-channel --deploy-dir --from-version --input-dir --kustomize-dir --output-dir --package --quiet --stdout --update-objects --version',
  'bundle validate':
    '--alpha-select-external --image-builder --list-optional --optional-values --output --select-optional',
  scorecard:
    '--config --kubeconfig --list --namespace --output --pod-security --selector --service-account --skip-cleanup --storage-image --test-output --untar-image --wait-time',
  cleanup: `--delete-all --delete-crds --delete-operator-groups ${cluster}`,
  'olm install': '--timeout --version',
  'olm status': '--olm-namespace --timeout --version',
  'olm uninstall': '--olm-namespace --timeout --version',
  'pkgman-to-bundle': '--build-cmd --image-tag-base --output-dir',
  'run bundle': `--decompression-image --index-image --install-mode ${registry} ${cluster}`,
  'run bundle-upgrade': `${registry} ${cluster}`,
  'run packagemanifests': `--install-mode --version ${cluster}`,
  completion: 'bash zsh fish powershell',
  version: '',
  'alpha generate': '',
  'alpha config-3alpha-to-3': '',
  'all commands': '--plugins --verbose',
};

describe('every flag of operator-sdk', () => {
  test.each(Object.entries(theirs))('of %s is in the table, once', (command, flags) => {
    const listed = rows.filter((row) => row.command === command);
    expect(listed).not.toEqual([]);
    expect(listed.flatMap((row) => row.flags).toSorted()).toEqual(
      flags.split(' ').filter(Boolean).toSorted(),
    );
  });

  const same = rows.filter(({ command, ours }) => command in theirs && ours.startsWith('the same'));
  test.each(same)('$command $flags: op-sdk has it', async ({ command, flags }) => {
    const argv = command === 'all commands' ? ['version'] : command.split(' ');
    const { stdout } = await runCli([...argv, '--help']);
    for (const flag of flags) {
      const [, name = ''] = /^--(.*)$/.exec(flag) ?? [];
      expect(stdout).toMatch(new RegExp(name === '' ? `\\b${flag}\\b` : `--(?:no-)?${name}\\b`));
    }
  });
});
