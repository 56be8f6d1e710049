/**
 * Authentication: bearer tokens, signed tokens of identity providers, local mode, rate limits and security headers for
 * browsers. The contract defines the authorization of an authenticated caller.
 */
@NullMarked
package dev.spur.service.web.access;

import org.jspecify.annotations.NullMarked;
