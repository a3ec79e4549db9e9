import type { CustomResource, Int32 } from 'opsdk';

/**
 * A range.
 *
 * @cel self.min <= self.max : "min must not exceed max"
 * @minProperties 1
 */
interface Range {
  /** @minimum 0 */
  min?: Int32;
  max?: Int32;
}

type Alias = Readonly<Range>;

export interface Sample extends CustomResource {
  spec: {
    readonly: Readonly<Range>;
    required: Required<Range>;
    /** Of its own. */
    alias?: Alias | null;
    twice: Readonly<Required<Range>>;
  };
}
