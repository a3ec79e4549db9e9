import type { CustomResource, Int32 } from 'opsdk';
import type { Shared } from './shared/types.ts';
import { type Named as Renamed } from './shared/types.ts';

/** Where it is. */
interface Place {
  /** The zone. */
  zone: string;
}

interface Base {
  /** From the base. */
  inherited: string;
  replaced?: string;
}

/** More than the base. */
interface Derived extends Base {
  replaced?: 'narrow';
  own?: Int32;
}

interface Box<T, U = string> {
  /** What is in it. */
  content: T;
  label?: U;
}

type Both = Place & { more?: string };

export interface Sample extends CustomResource {
  spec: {
    documented: Place;
    /** Of the field. */
    field: Place;
    derived: Derived;
    box: Box<Int32>;
    boxes: Box<Place, Int32>[];
    strings: Box<string>;
    matrix: string[][];
    array: Array<Int32>;
    readonlyArray: ReadonlyArray<Place>;
    record: Record<string, Place>;
    keyed: Record<'a' | 'b', Int32>;
    index: { [name: string]: string };
    both: Both;
    nested: {
      /** Deep. */
      deep: { deeper: string };
    };
    shared: Shared;
    renamed: Renamed;
    indexed: Place['zone'];
  };
}
