#include "BenchmarkFloors.h"

#ifdef CALOTYPE_HTTP

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A slot for transfers, one after another.
typedef struct slot {
    CURL *easy;
    uint8_t *body;
    size_t length;
    size_t capacity;
} slot;

struct benchmark_http {
    CURLM *multi;
    slot *slots;
    size_t slot_count;
    const char *address;
    /// The numbers of transfers that have begun and that are requested.
    size_t begun;
    size_t wanted;
};

/// The initial capacity of a body's memory, which doubles when it is full.
static const size_t first_capacity = 64 << 10;

/// libcurl's write callback.
static size_t receive(char *bytes, size_t size, size_t count, void *context) {
    slot *slot = context;
    count *= size;
    if (slot->length + count > slot->capacity) {
        size_t capacity = slot->capacity > 0 ? slot->capacity : first_capacity;
        while (capacity < slot->length + count) capacity *= 2;
        uint8_t *body = realloc(slot->body, capacity);
        if (body == NULL) return 0;
        slot->body = body;
        slot->capacity = capacity;
    }
    memcpy(slot->body + slot->length, bytes, count);
    slot->length += count;
    return count;
}

benchmark_http *benchmark_http_create(size_t concurrency) {
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return NULL;
    benchmark_http *client = calloc(1, sizeof *client);
    slot *slots = calloc(concurrency, sizeof *slots);
    CURLM *multi = curl_multi_init();
    if (client == NULL || slots == NULL || multi == NULL) {
        free(client);
        free(slots);
        curl_multi_cleanup(multi);
        return NULL;
    }
    client->multi = multi;
    client->slots = slots;
    client->slot_count = concurrency;
    for (size_t index = 0; index < concurrency; index++) {
        slots[index].easy = curl_easy_init();
        if (slots[index].easy != NULL) continue;
        benchmark_http_free(client);
        return NULL;
    }
    return client;
}

/// Begins the next transfer.
static bool begin(benchmark_http *client, slot *slot) {
    char address[512];
    int length = snprintf(address, sizeof address, "%s?%zu", client->address, client->begun);
    if (length < 0 || (size_t)length >= sizeof address) return false;
    CURL *easy = slot->easy;
    curl_easy_reset(easy);
    slot->length = 0;
    bool is_set = curl_easy_setopt(easy, CURLOPT_URL, address) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 64L << 10) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_WRITEDATA, slot) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_PRIVATE, slot) == CURLE_OK;
    if (!is_set || curl_multi_add_handle(client->multi, easy) != CURLM_OK) return false;
    client->begun++;
    return true;
}

/// Returns whether the transfer succeeded with status 200 and the expected length.
static bool is_whole(const slot *slot, CURLcode result, size_t length) {
    long status = 0;
    curl_easy_getinfo(slot->easy, CURLINFO_RESPONSE_CODE, &status);
    return result == CURLE_OK && status == 200 && slot->length == length;
}

/// Runs until all transfers have ended or one of them has failed.
static bool run(benchmark_http *client, size_t length) {
    for (size_t ended = 0; ended < client->wanted;) {
        int running = 0;
        int left = 0;
        if (curl_multi_perform(client->multi, &running) != CURLM_OK) return false;
        bool has_begun = false;
        for (CURLMsg *message; (message = curl_multi_info_read(client->multi, &left)) != NULL;) {
            if (message->msg != CURLMSG_DONE) continue;
            // The message is freed with the transfer.
            CURLcode result = message->data.result;
            slot *slot = NULL;
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &slot);
            curl_multi_remove_handle(client->multi, slot->easy);
            if (!is_whole(slot, result, length)) return false;
            ended++;
            if (client->begun == client->wanted) continue;
            if (!begin(client, slot)) return false;
            has_begun = true;
        }
        // A new transfer can send at once.
        if (has_begun || ended == client->wanted) continue;
        if (curl_multi_poll(client->multi, NULL, 0, 1000, NULL) != CURLM_OK) return false;
    }
    return true;
}

bool benchmark_http_get(benchmark_http *client, const char *address, size_t count, size_t length) {
    client->address = address;
    client->begun = 0;
    client->wanted = count;
    size_t first = count < client->slot_count ? count : client->slot_count;
    bool is_done = true;
    for (size_t index = 0; index < first && is_done; index++) is_done = begin(client, &client->slots[index]);
    is_done = is_done && run(client, length);
    // After a failure some transfers are still registered. Removing an unregistered one has no effect.
    for (size_t index = 0; index < first; index++) curl_multi_remove_handle(client->multi, client->slots[index].easy);
    return is_done;
}

void benchmark_http_free(benchmark_http *client) {
    for (size_t index = 0; index < client->slot_count; index++) {
        curl_easy_cleanup(client->slots[index].easy);
        free(client->slots[index].body);
    }
    curl_multi_cleanup(client->multi);
    free(client->slots);
    free(client);
}

#endif
