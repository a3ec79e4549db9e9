import type { CustomResource, Int32 } from 'opsdk';

type Same<T> = T;
/** @minLength 2 */
type Long<T> = T;

interface Fields {
  a: string;
  b?: Int32;
  c?: 'x' | 'y';
}

export interface Sample extends CustomResource {
  spec: {
    through: { [K in keyof Fields]-?: Same<Fields[K]> };
    twice: { [K in keyof Fields]-?: Same<Readonly<Fields[K]>> };
    required: Required<{ [K in keyof Fields]: Same<Fields[K]> }>;
    documented: { [K in keyof Pick<Fields, 'c'>]-?: Long<Fields[K]> };
    kept: { [K in keyof Fields]: Same<Fields[K]> };
    ownKeys: { [K in 'b' | 'd']-?: Same<Int32 | undefined> };
  };
}
