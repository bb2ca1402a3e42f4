/// Engine folders: their format, building, quantisation, mapping and checks.
///
/// An engine folder has `recipe.yaml` (kept in git), and after the build `engine.json` and `weights.safetensors`;
/// backends may add files that end in `.pack`, which the next build removes. Tensor names are the same for all
/// families: `embed.weight`, `position.weight` (learned positions), `layers.N.attn_norm`,
/// `layers.N.attn.{q,k,v,o}`, `layers.N.attn.{q,k}_norm` (head norms), `layers.N.ffn_norm`,
/// `layers.N.ffn.{gate,up,down}`, `final_norm`, and `head.weight` unless it is tied to the embedding; each with
/// `.weight` and, where the family has one, `.bias`. Matrices are `[outputs, inputs]`:
///
/// | precision | X.weight | X.weight_scale | X.weight_zero |
/// |---|---|---|---|
/// | bf16 | BF16 `[out, in]` | | |
/// | fp8 | F8_E4M3 `[out, in]` | F32 `[out]`, or `[out, ceil(in/128)]` | |
/// | int4 | U8 `[out, ceil(in/2)]`, even input in the low nibble | F16 `[out, ceil(in/g)]` | U8 `[out, ceil(in/g)]`, 0 to 15 |
///
/// g is the engine's `group_size`: 128 where `engine.json` names none, else 64 or 32. FP8 has scales of 128 inputs where
/// `group_size` is 128, and of outputs where `engine.json` names none.
///
/// Embedding and head are matrices like the others; norms, biases and position tables stay F32.
@org.jspecify.annotations.NullMarked
package org.inferometer.engine;
