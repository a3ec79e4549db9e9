import {
  titleOf,
  type OwnedObject,
  type OwnershipMove,
  type OwnershipResult,
} from '../../../cluster/index.ts';
import { printableLine } from '../../../base/util/terminal-words.ts';
import { countText } from '../../../base/util/words.ts';

/** Formats an object and the fields that move, as a line with indented details. */
export function ownershipText(object: OwnedObject, action: 'would move' | OwnershipResult['action']): string {
  const { resource, key, moves } = object;
  const title = titleOf(resource, key.name);
  const place = key.namespace === undefined ? title : `${title} in namespace ${key.namespace}`;
  if (action === 'gone') return printableLine(`${place}: deleted meanwhile`);
  if (action === 'unchanged') return printableLine(`${place}: moved by somebody else meanwhile`);
  if (action === 'failed') return printableLine(`${place}: not moved`);
  const lines = moves.flatMap((move) => [
    `${place}${move.subresource === undefined ? '' : ' (status)'}: ${moveText(move, action === 'moved')}`,
    ...section('removed with the next apply unless the operator sets them', move.removable),
    ...section(`written in ${move.ownerlessVersions.join(' and ')}: stay without an owner`, move.ownerless),
  ]);
  return lines.map(printableLine).join('\n');
}

function moveText({ fields, ownerless, from, to }: OwnershipMove, isDone: boolean): string {
  const former = from.join(' and ');
  if (fields.length === 0)
    return `${former} ${isDone ? 'no longer owns' : 'would no longer own'} ${countText(ownerless.length, 'field')}`;
  return `${countText(fields.length, 'field')} ${isDone ? 'moved' : 'would move'} from ${former} to ${to}`;
}

function section(title: string, fields: readonly string[]): readonly string[] {
  return fields.length === 0 ? [] : [`  ${title}:`, ...fields.map((field) => `    ${field}`)];
}

/** Returns an object and the fields that move, for `-o json`. */
export function ownershipResult(
  { resource, key, moves }: OwnedObject,
  action: 'planned' | OwnershipResult['action'],
): object {
  return { apiVersion: resource.apiVersion, kind: resource.kind, ...key, action, moves };
}
