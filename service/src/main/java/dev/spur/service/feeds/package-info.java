/**
 * Feeds of the events of jobs and plans: the stored log in its order of commits, streams of server-sent events, and
 * signed webhooks, which are repeated until the receiver accepts them.
 */
@NullMarked
package dev.spur.service.feeds;

import org.jspecify.annotations.NullMarked;
