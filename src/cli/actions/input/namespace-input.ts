import { FindingList } from '../../../base/errors/index.ts';
import { checkLabel } from '../../../project/project/index.ts';
import type { NamespaceOptions } from '../../flags/namespace-flag.ts';
import { checkFlag } from './flag-values.ts';

/** Namespace of `--namespace`; undefined if it is not given. @throws OpSdkError `cli/invalid-value` */
export function namespaceInput({ namespace }: NamespaceOptions): string | undefined {
  const findings = new FindingList();
  checkFlag(findings, '--namespace', namespace, checkLabel, ['name one namespace, such as --namespace=web']);
  findings.throwIfAny();
  return namespace;
}
