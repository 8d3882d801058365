//! Accesses to members, as C. `@` stands for the object, `%` for a name that nobody has yet.

use super::Group;

/// The same access with a mark, for the groups that have one.
pub fn mark(x: &str, group: Group, d: &str, write: bool) -> Option<String> {
    let place = match group {
        Group::A => format!("{d}->a"),
        Group::B => format!("{d}->b"),
        Group::Global => "g0".to_owned(),
        _ => return None,
    };
    Some(if write { format!("WRITE_ONCE({place}, 7);") } else { format!("int {x} = READ_ONCE({place});") })
}

pub fn writes(group: Group) -> &'static [&'static str] {
    match group {
        Group::A => &[
            "@->a = 1;",
            "@->a++;",
            "*place(@) = 2;",
            "bump(&@->a);",
            "bump(place(@));",
            "act_a(@);",
            "@->actions->act(@);",
            "memset(&@->a, 0, sizeof(@->a));",
            "*(u8 *)&@->a = 3;",
            "((u16 *)@)[1] = 3;",
            "int *% = &@->a;\n*% = 4;",
            "deep_put(&@->a, 1);",
            "outside(&@->a);",
        ],
        Group::B => &[
            "@->b = 1;",
            "@->b += 2;",
            "bump(&@->b);",
            "act_b(@);",
            "@->actions->other(@);",
            "*(&@->a + 1) = 8;",
        ],
        Group::Bits => &["@->f1 = 1;", "@->f2 = 3;", "@->f3++;"],
        Group::Inner => &[
            "@->in.v = 1;",
            "@->in.tag = 2;",
            "@->in.more = 2;",
            "struct inner *% = &@->in;\n%->v = 3;",
            "struct inner % = { 1, 2 };\n@->in = %;",
            "memset(&@->in, 0, sizeof(@->in));",
            "((char *)&@->in)[4] = 1;",
            "struct inner % = { 1, 2 };\nmemcpy(&@->in, &%, sizeof(%));",
        ],
        Group::Union => {
            &["@->u.i = 1;", "@->u.s[1] = 2;", "@->u.c[3] = 3;", "union mix *% = &@->u;\n%->s[0] = 1;"]
        }
        Group::Chars => &[
            "@->buf[0] = 1;",
            "unsigned int % = rnd();\nif (% < 8)\n\t@->buf[%] = 1;",
            "memset(@->buf, 1, sizeof(@->buf));",
            "u8 *% = @->buf;\n%[3] = 1;",
            "u8 % = rnd();\nif ((u8)(% + 3) < 8)\n\t@->buf[(u8)(% + 3)] = 1;",
            "*(u32 *)@->buf = 3;",
            "memcpy_fromio(@->buf, NULL, 8);",
        ],
        Group::Array => &[
            "@->arr[0] = 1;",
            "@->arr[rnd() & 3] = 1;",
            "for (int % = 0; % < 2; %++)\n\t@->arr[%] = %;",
            "int *% = @->arr;\n%[2] = 1;",
            "unsigned int % = rnd();\nif (% + 1 < 3)\n\t@->arr[% + 1] = 2;",
            "memset(@->arr, 0, 8);",
        ],
        Group::Global => &["g0 = 1;", "g0++;", "bump(&g0);", "int *% = &g0;\n*% = 2;"],
        Group::Elements => &[
            "elements[1].v = 1;",
            "elements[rnd() & 1].tag = 1;",
            "struct inner *% = &elements[1];\n%->tag = 1;",
            "struct inner *% = elements;\n(% + 1)->v = 2;",
            "memset(elements, 0, sizeof(elements));",
        ],
    }
}

pub fn reads(group: Group) -> &'static [&'static str] {
    match group {
        Group::A => {
            &["int % = @->a;", "int % = *place(@);", "u8 % = *(u8 *)&@->a;", "int *% = &@->a;\nint %v = *%;"]
        }
        Group::B => &["int % = @->b;", "if (@->b)\n\trnd();"],
        Group::Bits => &["int % = @->f1;", "int % = @->f2;", "int % = @->f3;"],
        Group::Inner => &[
            "int % = @->in.v;",
            "int % = @->in.tag;",
            "struct inner % = @->in;",
            "struct inner %;\nmemcpy(&%, &@->in, sizeof(%));",
        ],
        Group::Union => &["int % = @->u.i;", "int % = @->u.s[0];", "int % = @->u.c[1];"],
        Group::Chars => {
            &["int % = @->buf[3];", "int % = @->buf[rnd() & 7];", "u8 %[8];\nmemcpy(%, @->buf, 8);"]
        }
        Group::Array => &["int % = @->arr[1];", "int % = @->arr[rnd() & 3];"],
        Group::Global => &["int % = g0;"],
        Group::Elements => &["int % = elements[1].v;", "int % = elements[rnd() & 1].tag;"],
    }
}
