import type { Condition, CustomResource, Int32, IntOrString } from 'opsdk';

interface A {
  kind: 'a';
  a: string;
}

interface B {
  kind: 'b';
  b: string;
}

/** @minLength 3 */
type Long = string;

/** @default x */
type Letters = 'x' | 'y';

export interface Sample extends CustomResource {
  spec: {
    huge: 1 | 9007199254740993;
    objects: A | B;
    objectOrNull: A | B | null;
    stringOrNumber: string | number;
    stringOrInt32: string | Int32;
    mixedLiterals: 'a' | 1;
    boolOrAuto: boolean | 'auto';
    stringOrList: string | string[];
    stringOrObject: string | A;
    withBuiltIn: Condition | A;
    lists: string[] | Int32[];
    tagged: Long | 'ab';
    taggedEnum: Letters | 'z';
    fine: IntOrString | null;
  };
}
