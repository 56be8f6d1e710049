/**
 * The contract for people to read: {@code openapi.yaml} as it is, and pages that render it without reaching for
 * anything outside this machine.
 */
@NullMarked
package dev.spur.service.docs;

import org.jspecify.annotations.NullMarked;
