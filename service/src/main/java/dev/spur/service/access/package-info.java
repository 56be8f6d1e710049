/**
 * Who may come in: tokens, signed tokens of identity providers, callers of this machine, how often each may ask, and
 * what browsers are told. What a caller may do once it is known is said by the contract.
 */
@NullMarked
package dev.spur.service.access;

import org.jspecify.annotations.NullMarked;
