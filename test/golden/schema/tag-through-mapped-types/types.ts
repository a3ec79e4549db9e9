import type { CustomResource, Int32 } from 'opsdk';

interface Fields {
  /**
   * A.
   * @minLength 1
   * @default x
   */
  a?: string;
  /** @minimum 1 */
  b: Int32;
  /** @items.maxLength 5 */
  c: string[];
}

export interface Sample extends CustomResource {
  spec: {
    partial?: Partial<Fields>;
    picked?: Pick<Fields, 'a' | 'c'>;
    omitted?: Omit<Fields, 'a'>;
    nested?: Partial<Omit<Fields, 'b'>>;
    single?: Fields['c'];
    readonly?: Readonly<Fields>;
  };
}
