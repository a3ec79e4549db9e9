import type { CustomResource, Double, Int32, IntOrString } from 'opsdk';

/** @selectable */
type Mode = 'a' | 'b';

/** @scale spec */
interface Counted {
  count: Int32;
}

/** @printerColumn */
type Shown = string;

export interface Sample extends CustomResource {
  /** @selectable */
  spec: {
    mode?: Mode;
    counted?: Counted;
    shown?: Shown;
    list?: {
      /** @selectable */
      a: string;
      /** @scale spec */
      b: Int32;
    }[];
    /** @selectable */
    number?: Double;
    /** @selectable */
    port?: IntOrString;
    /** @selectable yes */
    valued?: string;
    /** @selectable */
    'a.b'?: string;
    /** @scale */
    nothing?: Int32;
    /** @scale status */
    elsewhere?: Int32;
    /** @scale spec */
    text?: string;
    /** @scale spec */
    first?: Int32;
    /** @scale spec */
    second?: Int32;
    /** @items.selectable */
    names?: string[];
    /** @values.printerColumn */
    map?: Record<string, string>;
    /** @items.allow schema/float because */
    floats?: string[];
  };
  /** @scale selector */
  selector?: string;
  status?: object;
}
