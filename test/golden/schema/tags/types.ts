import type { CustomResource, DateTime, Int32, IntOrString, Quantity } from 'opsdk';

/**
 * A port.
 * @minimum 1
 * @maximum 65535
 */
type Port = Int32;

/** @immutable */
type Fixed = string;

/**
 * Limits.
 * @cel self.min <= self.max : "min must not exceed max"
 */
interface Range {
  min: Int32;
  max: Int32;
}

/**
 * A sample.
 * Second line.
 *
 * After a blank line, with `code`, {@link Range} and mail@example.com.
 * @deprecated read over
 * @see https://example.com
 * @cel self.metadata.name.size() < 20 : "the name is too long"
 */
export interface Sample extends CustomResource {
  spec: {
    port: Port;
    /** @minimum 1024 */
    highPort: Port;
    /**
     * @exclusiveMinimum 0
     * @exclusiveMaximum 100
     * @multipleOf 5
     * @default 50
     */
    percent?: Int32;
    /**
     * @minLength 1
     * @maxLength 63
     * @pattern ^[a-z]([-a-z0-9]*[a-z0-9])?$
     * @example my-name
     */
    name: string;
    /** @pattern ^a*\/\d{2}@b$ */
    odd?: string;
    /** @format uri */
    url?: string;
    /**
     * @minItems 1
     * @maxItems 3
     * @default ["a", "b"]
     */
    list?: string[];
    /**
     * @minProperties 1
     * @maxProperties 2
     */
    map?: Record<string, string>;
    /** @default 10 */
    text?: string;
    /** @default "quoted \"text\"" */
    quoted?: string;
    /** @default 'single' */
    single?: string;
    /** @default "" */
    empty?: string;
    /** @default true */
    flag?: boolean;
    /** @default 25% */
    percentage?: IntOrString;
    /** @default 8080 */
    target?: IntOrString;
    /** @default 500m */
    cpu?: Quantity;
    /** @default {"min": 1, "max": 2} */
    range?: Range;
    /**
     * @immutable
     * @cel self != "x"
     * @cel self != "x" : "not x"
     */
    fixed?: Fixed;
    /** @title The title */
    titled?: string;
    /**
     * @immutable
     * @cel self.startsWith("x") : "must start with x"
     * @cel {"rule": "self.size() < 10", "messageExpression": "'too long: ' + self", "reason": "FieldValueInvalid"}
     */
    image: string;
    /**
     * @cel self.all(key,
     *   key.size() < 10)
     */
    rules?: Record<string, string>;
    /** @k8s {"externalDocs": {"url": "https://example.com"}, "x-kubernetes-map-type": "atomic"} */
    escaped?: Range;
    /** @k8s {"x-kubernetes-preserve-unknown-fields": true} */
    anything?: unknown;
    /** @k8s {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-embedded-resource": true} */
    template?: object;
    /** @default 2026-01-02T15:04:05Z */
    since?: DateTime;
  };
}
