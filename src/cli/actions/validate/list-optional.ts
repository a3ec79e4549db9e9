import { optionalValidators, validatorInfo } from '../../../olm/bundle/validate/rules/validators.ts';
import type { CommandOutcome } from '../../command.ts';
import { labelsOf } from './read-selection.ts';

/** `--list-optional`. */
export function listOptional(): CommandOutcome {
  const rows = optionalValidators.map((name) => {
    const labels = Object.entries(labelsOf(name)).map(([key, value]) => `${key}=${value}`);
    return { name, labels: labels.join(','), description: validatorInfo(name).description };
  });
  const width = (key: 'name' | 'labels'): number =>
    Math.max(...rows.map((row) => row[key].length), key.length);
  const [nameWidth, labelsWidth] = [width('name'), width('labels')];
  const line = (name: string, labels: string, description: string): string =>
    `${name.padEnd(nameWidth)}  ${labels.padEnd(labelsWidth)}  ${description}`;
  const lines = rows.map(({ name, labels, description }) => line(name, labels, description));
  return { result: rows, document: rows, text: [line('NAME', 'LABELS', 'DESCRIPTION'), ...lines].join('\n') };
}
