import type { CustomResource, ListMap } from 'opsdk';

interface Direct {
  child?: Direct;
}

type Alias = { child?: Alias };

interface ByList {
  children: ByList[];
}

interface ByRecord {
  children: Record<string, ByRecord>;
}

interface ByMap {
  name: string;
  children?: ListMap<ByMap, 'name'>;
}

interface Box<T> {
  value: T;
}

interface ByGeneric {
  box?: Box<ByGeneric>;
}

interface Growing<T> {
  next?: Growing<T[]>;
}

interface A {
  b?: B;
}

interface B {
  a?: A;
}

interface ByPartial {
  child?: Partial<ByPartial>;
}

interface ByThis {
  child?: this;
}

type ByUnion = { leaf: string } | { node: ByUnion };

interface Cut {
  /** @k8s {"type": "object", "x-kubernetes-preserve-unknown-fields": true} */
  child?: Cut;
}

export interface Sample extends CustomResource {
  spec: {
    direct: Direct;
    alias: Alias;
    byList: ByList;
    byRecord: ByRecord;
    byMap: ByMap;
    byGeneric: ByGeneric;
    growing: Growing<string>;
    mutual: A;
    byPartial: ByPartial;
    byThis: ByThis;
    byUnion: ByUnion;
    cut: Cut;
  };
}
