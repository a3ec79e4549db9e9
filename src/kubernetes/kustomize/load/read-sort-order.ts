import { list, mapped, object, oneOf, string } from '../../../base/util/json-reader.ts';
import { invalid, placeInside, type JsonReader } from '../../../base/util/read-json.ts';
import type { SortOrder } from '../entries.ts';
import { legacyOrder } from '../sort-resources.ts';

const kinds = list(string);

/** Reads `sortOptions`. Only those of the outermost kustomization count. */
export const sortOrderReader: JsonReader<SortOrder> = mapped(
  object(
    { order: oneOf('fifo', 'legacy'), legacySortOptions: object({ orderFirst: kinds, orderLast: kinds }) },
    { required: { order: 'write order: fifo or order: legacy' } },
  ),
  ({ order, legacySortOptions: legacy }, place) => {
    if (order === 'legacy') {
      return legacy === undefined
        ? { order, ...legacyOrder }
        : { order, first: legacy.orderFirst ?? [], last: legacy.orderLast ?? [] };
    }
    if (order === undefined) return undefined;
    if (legacy === undefined) return { order };
    return invalid(
      placeInside(place, 'legacySortOptions'),
      'only the order legacy has such options',
      'remove them, or write order: legacy',
    );
  },
);
