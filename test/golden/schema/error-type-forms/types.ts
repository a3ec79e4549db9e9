import type { CustomResource, Int32 } from 'opsdk';

// What a form would lose is refused where it would be lost.
interface Low {
  /** @minimum 1 */
  size: Int32;
}
interface High {
  /** @minimum 5 */
  size: Int32;
}
interface Text {
  size: string;
}
const defaults = { size: 3 };
declare function pick<T>(value: T): T;
declare function inferred(): { size: number };
/** @maxItems 3 */
type Few = { size: Int32 }[];
type DeepOptional<T> = T extends (infer Item)[]
  ? DeepOptional<Item>[]
  : T extends object
    ? { [K in keyof T]?: DeepOptional<T[K]> }
    : T;

export interface Sample extends CustomResource {
  spec: {
    tags: Low & High;
    types: Low & Text;
    constant: typeof defaults;
    generic: ReturnType<typeof pick>;
    plain: ReturnType<typeof inferred>;
    notAFunction: ReturnType<any>;
    union: Pick<Low | High, 'size'>;
    tuple: Parameters<typeof pick>;
    takenApart: DeepOptional<{ few: Few }>;
    omitted: Omit<Low & High, 'none'>;
  };
}
