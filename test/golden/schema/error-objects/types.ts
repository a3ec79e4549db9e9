import { type CustomResource } from 'opsdk';

class Plain {
  #secret = 1;
  name = '';
}

interface Merged {
  a: string;
}

interface Merged {
  b: string;
}

interface Open {
  known: string;
  [key: string]: string;
}

interface One {
  same: string;
}

interface Two {
  same: 'x';
  more: string;
}

/** @pattern ^a */
type Key = string;

interface Whole extends CustomResource {
  spec: string;
}

const name = 'computed';

interface FromLibrary extends Array<string> {
  more: string;
}

export interface Sample extends CustomResource {
  spec: {
    plain: Plain;
    merged: Merged;
    open: Open;
    both: One & Two;
    keys: Record<Key, string>;
    numbered: Record<number, string>;
    whole: Whole;
    template: `x-${string}`;
    imported: import('opsdk').Int32;
    [name]: string;
    fromLibrary: FromLibrary;
    returned: ReturnType<() => string>;
    upper: Uppercase<string>;
  };
}
