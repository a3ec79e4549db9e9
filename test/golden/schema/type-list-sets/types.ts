import type { AtomicList, AtomicMap, AtomicObject, CustomResource, Int32, IntOrString, Json, ListSet } from 'opsdk';

interface Point {
  x: Int32;
  y: Int32;
}

export interface Sample extends CustomResource {
  spec: {
    strings: ListSet<string>;
    letters: ListSet<'a' | 'b'>;
    ports: ListSet<IntOrString>;
    points: ListSet<AtomicObject<Point>>;
    maps: ListSet<AtomicMap<string>>;
    lists: ListSet<AtomicList<string>>;
    plainLists: ListSet<string[]>;
    anything: ListSet<Json>;
  };
}
