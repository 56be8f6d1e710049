/**
 * HTTP server: problems (RFC 9457) for failed requests, limits of connections, long polls, the audit trail, the pages
 * of the contract, and the controller that named resources share. Other controllers are in the packages of their
 * resources.
 */
@NullMarked
package dev.spur.service.web;

import org.jspecify.annotations.NullMarked;
