import { RE2JS } from 're2js';
import type { RelabelConfig } from '../api/monitoring/v1/relabel-config.ts';
import type { Problems } from './problems.ts';
import type { ConfigObject } from './render.ts';
import type { ProgramVersion } from './version.ts';

/** Default values of Prometheus, which some actions do not allow to be changed. */
const defaults = { separator: ';', regex: '(.*)', replacement: '$1' };
/** Target labels of Prometheus 2, which may refer to groups. Source: relabelTarget of prometheus/model/relabel. */
const targetForm = /^(?:(?:[a-zA-Z_]|\$(?:\{\w+\}|\w+))+\w*)+$/;
const labelForm = /^[a-zA-Z_]\w*$/;
const withTarget = new Set(['replace', 'hashmod', 'lowercase', 'uppercase', 'keepequal', 'dropequal']);
const withoutReplacement = new Set(['lowercase', 'uppercase', 'keepequal', 'dropequal']);

/**
 * Returns what Prometheus calls `relabel_configs`, and reports what it would refuse: one rule that it cannot read makes it refuse the
 * configuration of everybody. Source: Config.Validate of prometheus/model/relabel.
 *
 * @param path of the list in its object, such as `spec.endpoints[0].relabelings`
 */
export function relabelConfigs(
  list: readonly RelabelConfig[] | undefined,
  path: string,
  version: ProgramVersion,
  problems: Problems,
): readonly ConfigObject[] {
  return (list ?? []).map((config, index) => {
    checkRelabel(config, `${path}[${index}]`, version, problems);
    return {
      source_labels: config.sourceLabels,
      separator: config.separator,
      target_label: config.targetLabel,
      regex: config.regex,
      modulus: config.modulus,
      replacement: config.replacement,
      action: config.action?.toLowerCase(),
    };
  });
}

function checkRelabel(
  config: RelabelConfig,
  path: string,
  version: ProgramVersion,
  problems: Problems,
): void {
  const action = (config.action ?? 'replace').toLowerCase();
  const { sourceLabels, targetLabel = '', regex, modulus, replacement } = config;
  const isDefault = (field: keyof typeof defaults): boolean =>
    config[field] === undefined || config[field] === defaults[field];

  if (regex !== undefined) checkRegex(regex, `${path}.regex`, problems);
  for (const [index, label] of (sourceLabels ?? []).entries())
    checkLabel(label, `${path}.sourceLabels[${index}]`, version, problems);
  if (withTarget.has(action)) {
    if (targetLabel === '') problems.add(`${path}.targetLabel`, `is required for the action ${action}`);
    else if (!isTarget(targetLabel, action, version))
      problems.add(`${path}.targetLabel`, `expected the name of a label, got "${targetLabel}"`);
  }
  if (withoutReplacement.has(action) && !isDefault('replacement'))
    problems.add(`${path}.replacement`, `is not allowed for the action ${action}`);
  if (action === 'hashmod' && (modulus === undefined || modulus === 0))
    problems.add(`${path}.modulus`, 'is required for the action hashmod, and not 0');
  if (
    action === 'labelmap' &&
    !version.isAtLeast('3.0.0') &&
    !targetForm.test(replacement ?? defaults.replacement)
  )
    problems.add(`${path}.replacement`, `expected the name of a label, got "${replacement ?? ''}"`);
  if (action === 'labeldrop' || action === 'labelkeep') {
    const isAlone =
      sourceLabels === undefined &&
      targetLabel === '' &&
      !modulus &&
      isDefault('separator') &&
      isDefault('replacement');
    if (!isAlone) problems.add(path, `the action ${action} allows regex and no other field`);
  }
  if (action === 'keepequal' || action === 'dropequal') {
    const isPlain = isDefault('regex') && !modulus && isDefault('separator') && isDefault('replacement');
    if (!isPlain)
      problems.add(path, `the action ${action} allows sourceLabels and targetLabel and no other field`);
  }
}

function isTarget(label: string, action: string, version: ProgramVersion): boolean {
  if (version.isAtLeast('3.0.0')) return true;
  return action === 'hashmod' ? labelForm.test(label) : targetForm.test(label);
}

/** Reports the name of a label that the version of Prometheus would refuse. Since 3.0, any text is one. */
export function checkLabel(label: string, path: string, version: ProgramVersion, problems: Problems): void {
  if (label === '' || (!version.isAtLeast('3.0.0') && !labelForm.test(label)))
    problems.add(path, `expected the name of a label, got "${label}"`);
}

/** Reports a regular expression that RE2 cannot read. */
export function checkRegex(regex: string, path: string, problems: Problems): void {
  try {
    RE2JS.compile(`^(?:${regex})$`);
  } catch (error) {
    problems.add(path, `expected a regular expression of RE2, got "${regex}": ${(error as Error).message}`);
  }
}

/** Returns the name of a label of Kubernetes as Prometheus writes it in the names of its own labels. */
export function labelNameOf(label: string): string {
  return label.replaceAll(/\W/g, '_');
}

/** Returns a regular expression that matches a text and nothing else. */
export function literal(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`);
}
