import { join } from 'node:path';
import { readKindSelection, type KindSelection } from '../../../cluster/index.ts';
import { FindingList } from '../../../base/errors/index.ts';
import { pathExists } from '../../../base/util/fs.ts';
import { LabelSelectorError, parseLabelSelector } from '../../../base/util/label-selector.ts';
import { readFieldManagers, type FieldManagers } from '../../../compiler/manifests/index.ts';
import { checkLabel, loadProject } from '../../../project/project/index.ts';
import type { CliContext } from '../../command.ts';
import { checkFlag, exclusiveFlags, invalidFlag, missingFlag } from '../input/flag-values.ts';

/** Flags that select what a migration of ownership moves. */
interface OwnershipFlags {
  readonly from: readonly string[] | undefined;
  readonly to: string | undefined;
  readonly kind: readonly string[] | undefined;
  readonly namespace: string | undefined;
  readonly allNamespaces: boolean;
  readonly selector: string | undefined;
  readonly allObjects: boolean;
}

/** Checked flags. For missing flags, the values come from the sources of the project. */
export interface OwnershipInput {
  /** Kinds that the user named; undefined for those of the project. */
  readonly kinds: readonly KindSelection[] | undefined;
  /** Field managers of the project's operator; undefined outside of a project, and if the flags name everything. */
  readonly managers: FieldManagers | undefined;
}

/**
 * Checks the flags, and reads the kinds, the field manager and the owners of the objects from the project if the flags do not name them.
 * @throws OpSdkError with all findings: `cli/missing-value`, `cli/invalid-value`; the errors of the sources
 */
export async function ownershipInput(context: CliContext, flags: OwnershipFlags): Promise<OwnershipInput> {
  const { from = [], to, kind = [], namespace, allNamespaces, selector, allObjects } = flags;
  const findings = new FindingList();
  if (from.length === 0)
    findings.add(
      missingFlag(
        '--from',
        '--from is missing: the field manager of the former operator',
        'name it as `kubectl get … --show-managed-fields -o yaml` shows it: --from=manager',
      ),
    );
  for (const name of from) checkManager(findings, '--from', name);
  if (to !== undefined) checkManager(findings, '--to', to);
  checkFlag(findings, '--namespace', namespace, checkLabel, ['name one namespace, such as --namespace=web']);
  if (namespace !== undefined && allNamespaces)
    findings.add(exclusiveFlags('--namespace', '--all-namespaces'));
  checkSelector(findings, selector);
  const kinds = kind.flatMap((text) => {
    const selection = readKindSelection(text);
    if (selection === undefined)
      findings.add(
        invalidFlag(
          '--kind',
          `--kind: expected a kind with its group, got ${JSON.stringify(text)}`,
          'write --kind=apps/Deployment or --kind=deployments.apps; for the core group --kind=Secret or --kind=secrets',
        ),
      );
    return selection ?? [];
  });
  const needsProject = to === undefined || kind.length === 0;
  const isProject = await pathExists(join(context.cwd, 'PROJECT'));
  if (needsProject && !isProject) {
    const where = 'or run the command in the folder of the project';
    if (kind.length === 0)
      findings.add(
        missingFlag('--kind', '--kind is missing outside of a project', '--kind=apps/Deployment', where),
      );
    if (to === undefined)
      findings.add(
        missingFlag('--to', '--to is missing outside of a project', '--to=<manager>/<controller>', where),
      );
  }
  findings.throwIfAny();
  const readsProject = needsProject || (isProject && !allObjects);
  if (readsProject) await loadProject(context.cwd);
  return {
    kinds: kind.length === 0 ? undefined : kinds,
    managers: readsProject ? readFieldManagers({ projectDir: context.cwd }) : undefined,
  };
}

/** Maximum length of the name of a field manager. Source: apimachinery `FieldManagerMaxLength`. */
const mostBytes = 128;

function checkManager(findings: FindingList, flag: string, name: string): void {
  const bytes = Buffer.byteLength(name);
  const problem =
    name === ''
      ? 'expected the name of a field manager, got an empty one'
      : bytes > mostBytes
        ? `expected at most ${mostBytes} bytes, got ${bytes}`
        : /[^\P{C}]/u.test(name)
          ? `expected printable characters, got ${JSON.stringify(name)}`
          : undefined;
  if (problem !== undefined)
    findings.add(
      invalidFlag(flag, `${flag}: ${problem}`, 'name it as metadata.managedFields of an object does'),
    );
}

function checkSelector(findings: FindingList, selector: string | undefined): void {
  if (selector === undefined) return;
  try {
    parseLabelSelector(selector);
  } catch (error) {
    if (!(error instanceof LabelSelectorError)) throw error;
    const message = `--selector: ${JSON.stringify(selector)} is not a label selector: ${error.message}`;
    findings.add(invalidFlag('--selector', message, 'write it as for kubectl: app=web,tier in (a,b)'));
  }
}
