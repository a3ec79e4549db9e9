import type { FindingList } from '../../../base/errors/index.ts';
import { invalidFlag } from './flag-values.ts';

/**
 * Checks that everything is for the operator: a word in front of `--` would be lost, another kubeconfig would not be checked.
 * @param command `run` or `dev`
 */
export function checkOperatorFlags(
  findings: FindingList,
  command: 'run' | 'dev',
  args: readonly string[],
): void {
  const [first] = args;
  if (first !== undefined && !first.startsWith('-')) {
    findings.add({
      code: 'cli/unexpected-argument',
      message: `op-sdk ${command} takes no argument ${JSON.stringify(first)}`,
      fix: [
        'leave it out',
        `write flags for the operator after --: op-sdk ${command} -- --namespace=default`,
      ],
    });
  }
  if (args.some((argument) => /^--kubeconfig(?:=|$)/.test(argument))) {
    findings.add(
      invalidFlag(
        '--kubeconfig',
        '--kubeconfig comes after --: op-sdk would check another cluster than the operator uses',
        `write it in front: op-sdk ${command} --kubeconfig <file> -- …`,
      ),
    );
  }
}
