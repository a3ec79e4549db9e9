import type { AtomicObject, CustomResource, EmbeddedResource } from 'opsdk';

interface Widget extends CustomResource {
  spec: { size: string };
}

export interface Sample extends CustomResource {
  spec: {
    bare: Widget;
    // @ts-expect-error the argument is an object
    string: EmbeddedResource<string>;
    record: EmbeddedResource<Record<string, string>>;
    list: EmbeddedResource<string[]>;
    // @ts-expect-error the argument is an object
    atomic: AtomicObject<string>;
    atomicList: AtomicObject<string[]>;
  };
}
