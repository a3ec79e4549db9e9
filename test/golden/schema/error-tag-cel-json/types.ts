import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @cel */
    a?: string;
    /** @cel {"rule": ""} */
    b?: string;
    /** @cel {"message": "no rule"} */
    c?: string;
    /** @cel {"rule": "self != ''", "mesage": "misspelt"} */
    d?: string;
    /** @cel {"rule": "self != ''", "message": "two\nlines"} */
    e?: string;
    /** @cel {"rule": "self != ''", "reason": "Wrong"} */
    f?: string;
    /** @cel {"rule": "self\n!= ''"} */
    g?: string;
    /** @cel {"rule": "self != ''", "optionalOldSelf": "yes"} */
    h?: string;
    /** @cel {"rule": "self != ''", "message": " "} */
    i?: string;
    /** @cel self != "" : unquoted */
    j?: string;
    /** @cel self != "": "no blank before the colon" */
    k?: string;
    /** @cel self.all(x, x == "a" */
    l?: string[];
    /** @cel self = "a" */
    m?: string;
    /** @cel self == "a */
    n?: string;
    /** @cel self == "a" ? true */
    o?: string;
    /** @cel self == ["a") */
    p?: string;
    /** @cel {"rule": "self != ''", "messageExpression": "'a' + ("} */
    q?: string;
    /**
     * @cel self != "a" // not a
     *   && self != "//b"
     */
    r?: string;
  };
}
