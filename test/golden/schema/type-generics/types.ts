import type { CustomResource, Int32, ListMap } from 'opsdk';

interface Box<T = string> {
  /** What is in it. */
  value: T;
}

interface Named {
  name: string;
}

type Keyed<T extends Named = Named & { size: Int32 }> = ListMap<T, 'name'>;
type Maybe<T> = T | null;
type Either<A, B = A> = { a?: A; b?: B };

interface Page<Item extends object, More = { next?: string }> extends Named {
  items: Item[];
  more: More;
}

export interface Sample extends CustomResource {
  spec: {
    box: Box;
    numbers: Box<Int32>;
    nested: Box<Box<Int32[]>>;
    keyed: Keyed;
    keyedNames: Keyed<Named & { other?: string }>;
    maybe: Maybe<string>;
    either: Either<string>;
    both: Either<string, Int32>;
    page: Page<Named>;
  };
}
