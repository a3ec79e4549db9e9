import type { CustomResource, Int32, IntOrString, ListMap } from 'opsdk';

/** A name, as DNS has it.
 * @maxLength 63
 */
type Name = string;

/**
 * Several names.
 * @items.minLength 2
 */
type Names = Name[];

interface Port {
  name: string;
}

export interface Sample extends CustomResource {
  spec: {
    /**
     * Tags of the list beside tags of its items.
     *
     * @minItems 1
     * @items.minLength 1
     * @items.maxLength 10
     * @items.pattern ^[a-z]+$
     * @items.description "One of the words."
     * @items.title Word
     * @items.example "word"
     */
    words: string[];
    /** The field's tag counts before those of the types. @items.maxLength 5 */
    names?: Names;
    /** @items.format int32 */
    numbers?: number[];
    /**
     * @items.minimum 0
     * @items.exclusiveMaximum 10
     * @items.multipleOf 2
     * @items.default 4
     */
    even?: Int32[];
    /**
     * @items.items.maxLength 3
     * @items.maxItems 2
     */
    table?: string[][];
    /** @items.cel self.name != 'x' : "not x"
     * @items.immutable
     */
    ports?: ListMap<Port, 'name'>;
    /** @items.nullable */
    gaps?: string[];
    /** @items.k8s {"externalDocs": {"url": "https://example.com"}} */
    documented?: string[];
    /** @items.default 80% */
    targets?: IntOrString[];
    /** @items.minProperties 1 */
    objects?: Record<string, string>[];
  };
}
