import type { CustomResource, JsonObject } from 'opsdk';

interface Open {
  a: string;
}

export interface Sample extends CustomResource {
  spec: {
    /**
     * @preserveUnknownFields
     * @required zeta, beta
     */
    open: Open;
    /** @required ["a name", "b"] */
    any?: JsonObject;
    /** @required key */
    record?: Record<string, string>;
    /** @items.required name */
    list?: JsonObject[];
    /** Nothing that is not declared survives. @required lost */
    closed?: Open;
  };
}
