import type { CustomResource } from 'opsdk';

/** @maxLength 10 */
type Name = string;

/**
 * An alias of an alias.
 * @minLength 1
 */
type Short = Name;

/** @maxProperties 3 */
interface Labels {
  [key: string]: Short;
}

/** @minProperties 1 */
interface Box<T> {
  /** What is in it. @title Inside */
  inside?: T;
}

/** @title A box */
type NameBox = Box<Name>;

/** @title A mode */
enum Mode {
  A = 'a',
  B = 'b',
}

/** @minProperties 1 */
interface Base {
  /** @minLength 2 */
  a?: string;
}

/** @maxProperties 2 */
interface Extended extends Base {
  b?: string;
}

/** @title Both */
type Both = Base & { c?: string };

export interface Sample extends CustomResource {
  spec: {
    short?: Short;
    /** @maxLength 5 */
    shorter?: Short;
    labels?: Labels;
    box?: Box<Short>;
    nameBox?: NameBox;
    mode?: Mode;
    extended?: Extended;
    both?: Both;
  };
}
