/**
 * REST controllers. Each method implements one operation of the contract: it calls the component that does the work and
 * shapes the response. This package also turns every failure of a request into a problem (RFC 9457).
 */
@NullMarked
package dev.spur.service.api;

import org.jspecify.annotations.NullMarked;
