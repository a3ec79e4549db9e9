import type { Json } from '../resource.ts';
import { legacyOrder } from '../sort-resources.ts';
import type { SortOrder } from './kustomization.ts';
import type { ValueReader } from './value-reader.ts';

/** Reads `sortOptions`. Only those of the outermost kustomization count. */
export function readSortOrder(value: Json | undefined, reader: ValueReader): SortOrder | undefined {
  const path = ['sortOptions'];
  const options = reader.record(value, path, ['order', 'legacySortOptions']);
  if (options === undefined) return undefined;
  const legacyPath = [...path, 'legacySortOptions'];
  const legacy = reader.record(options['legacySortOptions'], legacyPath, ['orderFirst', 'orderLast']);
  const kinds = (field: 'orderFirst' | 'orderLast'): readonly string[] =>
    reader.list(legacy?.[field], [...legacyPath, field], (item, here) => reader.text(item, here));
  const order = reader.text(options['order'], [...path, 'order']) ?? '';
  if (order === 'legacy') {
    return legacy === undefined
      ? { order, ...legacyOrder }
      : { order, first: kinds('orderFirst'), last: kinds('orderLast') };
  }
  if (order !== 'fifo') return reader.wrong([...path, 'order'], 'it must be fifo or legacy');
  if (legacy !== undefined) return reader.wrong(legacyPath, 'it is for the order legacy only');
  return { order };
}
