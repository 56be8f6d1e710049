/** Webhooks: signed HTTP requests with the events of jobs and plans, repeated until the receiver accepts them. */
@NullMarked
package dev.spur.service.webhook;

import org.jspecify.annotations.NullMarked;
