import type { RawExtension, AtomicObject, CustomResource, EmbeddedResource, ExactlyOneOf, Int32 } from 'opsdk';

/** @cel self.a < self.b : "a before b" */
interface Range {
  a: Int32;
  b: Int32;
}

/** @minProperties 1 */
interface Counted {
  a?: string;
}

/** @title A title */
type Titled = { a: string };

interface Other {
  other: string;
}

export interface Sample extends CustomResource {
  spec: {
    rule: Range | Other;
    counted: Counted | Other;
    titled: Titled | Other;
    record: Record<string, string> | Other;
    open: RawExtension | Other;
    atomic: AtomicObject<{ a: string }> | Other;
    choice: ExactlyOneOf<{ a?: string; b?: string }> | Other;
    embedded: EmbeddedResource | Other;
    list: string[] | Other;
    scalar: string | Other;
    required: { a: string; b: never } | Other;
    broken: { a: number } | { b: any };
  };
}
