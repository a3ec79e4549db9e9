import type { AtomicMap, AtomicObject, CustomResource, Int32, Quantity } from 'opsdk';
import type { SecretKeySelector } from 'opsdk/k8s/core/v1';

/** A point. */
interface Point {
  x: Int32;
  /** @default 0 */
  y?: Int32;
}

type Selector = AtomicMap<string>;

export interface Sample extends CustomResource {
  spec: {
    /** All labels at once. */
    labels: AtomicMap<string>;
    limits?: AtomicMap<Quantity>;
    points?: AtomicMap<Point>;
    selector: Selector | null;
    point: AtomicObject<Point>;
    /** A point of its own. */
    described?: AtomicObject<Point>;
    inline?: AtomicObject<{ a: string }>;
    record?: AtomicObject<Record<string, string>>;
    secret?: AtomicObject<SecretKeySelector>;
  };
}
