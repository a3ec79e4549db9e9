import { type CustomResource, type Int32, type Int64 } from 'opsdk';

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

interface Small {
  /** @minimum 1 */
  size: Int32;
  same: string;
}

interface Large {
  size: Int64;
  same: string;
}

interface Sized extends Small, Large {
  more: string;
}

interface SizedAgain extends Small, Large {
  /** @minimum 2 */
  size: Int32;
}

/** @cel self.min <= self.max : "min must not exceed max" */
interface Range {
  min: Int32;
  max: Int32;
}

interface Wider extends Range {
  step: Int32;
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
    sized: Sized;
    sizedAgain: SizedAgain;
    partial: Partial<Range>;
    picked: Omit<Wider, 'step'>;
    whole2: Range | null;
  };
}
