import type { CustomResource, ListMap } from 'opsdk';

/** @cel self.a != self.b : "a and b differ" */
interface Pair {
  /** @maxLength 20 */
  a: string;
  /** @maxLength 20 */
  b: string;
}

/** @cel has(self.a) : "a is missing" */
interface Base {
  a?: string;
}

/** @cel has(self.b) : "b is missing" */
interface Extended extends Base {
  b?: string;
}

/**
 * @cel self.metadata.name.startsWith("s") : "names start with s"
 * @cel self.spec.pair.a != "root" : "a is not root"
 */
export interface Sample extends CustomResource {
  /** @cel !has(self.extended) || has(self.pair) : "pair is missing" */
  spec: {
    pair: Pair;
    extended?: Extended;
    /**
     * @maxItems 10
     * @items.cel self.a.size() > 0 : "a is empty"
     */
    pairs?: ListMap<Pair, 'a'>;
    /**
     * @maxProperties 10
     * @values.maxLength 10
     * @values.cel self != "" : "empty"
     */
    labels?: Record<string, string>;
  };
}
