/** What published policies share: a round by lanes of like nodes, slots handed out by count, and places for them. */
@NullMarked
package dev.spur.policies.support;

import org.jspecify.annotations.NullMarked;
